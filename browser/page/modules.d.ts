// What esbuild imports beside scripts: HTML as text, and JSON, of which build.py writes assignment.json.
declare module "*.html";
declare module "*.json";
