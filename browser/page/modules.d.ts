// What the build provides: see `bundle` in build.py.
declare module "assignment";
declare module "pyodide-lock";
declare module "lab/*";
declare module "*.html";
