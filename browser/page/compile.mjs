// Compile the Python files in a zip, so that no visitor waits for that, and load NumPy's wheel
// beside Pyodide's files if it is not there: node compile.mjs FILE.zip
import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [, , zip] = process.argv;
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(zip)), "zip", { extractDir: "/home/pyodide/project" });
python.runPython(`
import compileall, pathlib, shutil
from py_compile import PycInvalidationMode

project = pathlib.Path("/home/pyodide/project")
how = PycInvalidationMode.UNCHECKED_HASH
for name in ("tests", "starter/games"): # with their sources: pytest and tracebacks read them
    compileall.compile_dir(project / name, quiet=1, invalidation_mode=how)
for name in ("autograder", "browser", "site-packages"): # nobody reads these sources there
    compileall.compile_dir(project / name, quiet=1, legacy=True, invalidation_mode=how)
    for source in (project / name).rglob("*.py"):
        source.unlink()
shutil.make_archive("/compiled", "zip", project)
`);
writeFileSync(zip, python.FS.readFile("/compiled.zip"));
try {
    await python.loadPackage("numpy", { messageCallback() {}, errorCallback() {} });
} catch (refused) {
    console.error(`NumPy can't be loaded: ${String(refused).slice(0, 200)}`);
}
