// Compile the Python files in python.zip, and what they import of Python's library, so that no visitor
// waits for that, and load NumPy's wheel beside Pyodide's files if it is not there:
// node compile.mjs FOLDER_OF_THE_ZIP SITE
import { loadPyodide } from "pyodide";

const [, , build, site] = process.argv;
// A line's columns, for tracebacks, are a quarter of a compiled file. A seed makes builds equal.
const python = await loadPyodide({ env: { PYTHONNODEBUGRANGES: "1", PYTHONHASHSEED: "0" } });
python.mountNodeFS("/build", build);
python.mountNodeFS("/site", site);
python.mountNodeFS("/pyodide", "node_modules/pyodide");
python.runPython(`
import compileall, gzip, os, shutil, sys
import tarfile # the page unpacks with it and gzip
from pathlib import Path
from py_compile import PycInvalidationMode

project, library = Path("/home/pyodide/project"), Path("/python_stdlib") # as tracebacks name it
shutil.unpack_archive("/build/python.zip", project)
shutil.unpack_archive("/pyodide/python_stdlib.zip", library)
sys.path += [str(project), str(project / "site-packages")]
sys.dont_write_bytecode = True
from browser import grading
from _pytest.config import get_config

get_config() # imports its plugins
files = [getattr(module, "__file__", None) or "" for module in sys.modules.values()]
unread = [library / name for name in (file.partition(".zip/")[2] for file in files) if name]
for name in ("autograder", "browser", "site-packages"): # nobody reads these sources there
    unread += (project / name).rglob("*.py")
how = PycInvalidationMode.UNCHECKED_HASH
for source in filter(Path.exists, unread):
    place = str(source.parent).replace("/python_stdlib", "/lib/python314.zip")
    compileall.compile_file(source, place, quiet=1, legacy=True, invalidation_mode=how)
    source.unlink()
for name in ("tests", "starter/games"): # with their sources: pytest and tracebacks read them
    compileall.compile_dir(project / name, quiet=1, invalidation_mode=how)
for path in (project, library, *project.rglob("*"), *library.rglob("*")):
    os.utime(path, (1e9, 1e9))
shutil.make_archive("/site/python_stdlib", "zip", library)
files = Path(shutil.make_archive("/python", "tar", project)) # smaller as one stream than as a zip
Path("/site/python.tar.gz").write_bytes(gzip.compress(files.read_bytes(), mtime=0))
`);
try {
    await python.loadPackage("numpy", { messageCallback() {}, errorCallback() {} });
} catch (refused) {
    console.error(`NumPy can't be loaded: ${String(refused).slice(0, 200)}`);
}
