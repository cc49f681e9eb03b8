// Runs the Python code on standard input in a site's Pyodide, with its wheels. Arguments: the folder, a folder to show as /tests.
import fs from "fs";
import path from "path";
import { pathToFileURL } from "url";

const [folder, tests] = process.argv.slice(2).map((name) => path.resolve(name));
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const lock = JSON.parse(fs.readFileSync(path.join(folder, "pyodide-lock.json"), "utf8"));
const ofTheKernel = ["piplite", "pyodide-kernel"]; // they need the page around them
const packages = Object.keys(lock.packages).filter((name) => !ofTheKernel.includes(name));
const python = await loadPyodide({ indexURL: folder + path.sep, packages, stdout: () => {} });
python.FS.mkdirTree("/tests");
python.FS.mount(python.FS.filesystems.NODEFS, { root: tests }, "/tests");
console.log(await python.runPythonAsync(fs.readFileSync(0, "utf8")));
process.exit(0);
