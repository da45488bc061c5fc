// Compile the Python files in a zip, and what they import of Python's library, so that no visitor
// waits for that, and load NumPy's wheel beside Pyodide's files if it is not there:
// node compile.mjs FILE.zip FOLDER
import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const [, , zip, folder] = process.argv;
// A line's columns, for tracebacks, are a quarter of a compiled file. A seed makes builds equal.
const python = await loadPyodide({ env: { PYTHONNODEBUGRANGES: "1", PYTHONHASHSEED: "0" } });
const unpack = (file, extractDir) =>
    python.unpackArchive(new Uint8Array(readFileSync(file)), "zip", { extractDir });
unpack(zip, "/home/pyodide/project"); // as in the page: tracebacks name these files
unpack("node_modules/pyodide/python_stdlib.zip", "/python_stdlib");
python.runPython(`
import compileall, os, pathlib, shutil, sys
import gzip, tarfile # the page unpacks with them
from py_compile import PycInvalidationMode

project, library = pathlib.Path("/home/pyodide/project"), pathlib.Path("/python_stdlib")
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
for source in filter(pathlib.Path.exists, unread):
    place = str(source.parent).replace("/python_stdlib", "/lib/python314.zip")
    compileall.compile_file(source, place, quiet=1, legacy=True, invalidation_mode=how)
    source.unlink()
for name in ("tests", "starter/games"): # with their sources: pytest and tracebacks read them
    compileall.compile_dir(project / name, quiet=1, invalidation_mode=how)
for folder, form in ((project, "tar"), (library, "zip")):
    for path in (folder, *folder.rglob("*")):
        os.utime(path, (1e9, 1e9))
    shutil.make_archive(str(folder), form, folder)
`);
// As one stream the files are smaller than in a zip.
writeFileSync(
    `${folder}/python.tar`,
    deflateSync(python.FS.readFile("/home/pyodide/project.tar"), { level: 9 }),
);
writeFileSync(`${folder}/python_stdlib.zip`, python.FS.readFile("/python_stdlib.zip"));
try {
    await python.loadPackage("numpy", { messageCallback() {}, errorCallback() {} });
} catch (refused) {
    console.error(`NumPy can't be loaded: ${String(refused).slice(0, 200)}`);
}
