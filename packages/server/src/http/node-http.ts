/**
 * `node:http` without an import. Importing it reads every property of the module, also those that
 * load a client of WebSockets, for which each thread that did so needed 20 ms of its start.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
