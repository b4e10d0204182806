/** Servers of databases for tests, tools and benchmarks. */
export { databaseSkip, findProgram } from './database-process.ts'
export { MariadbServer } from './mariadb-server.ts'
export { PostgresServer } from './postgres-server.ts'
