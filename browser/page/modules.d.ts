// What the build provides beside the scripts: see build.py.
declare module "*.html";
declare module "*.json";
