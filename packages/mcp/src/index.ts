/** A store as tools of the Model Context Protocol (modelcontextprotocol.io). */
export { serveRequests } from './serve-requests.ts'
export { serveStandardStreams } from './serve-standard-streams.ts'
