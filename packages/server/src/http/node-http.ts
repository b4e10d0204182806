/**
 * `node:http` without an import. Importing it reads every property of the module, including those
 * that load a WebSocket client, which added 20 ms to the start of each thread.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
