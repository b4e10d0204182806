import type { LogEntry } from '@aisle/event-log'
import type { AccessTable } from '../../domain/access/access-table.ts'
import type { AppDependencies } from '../dependencies.ts'
import type { AccessControl } from '../../services/access/access-control.ts'

export const ADMIN_TOKEN = 'admin-token-of-the-tests-of-routes'

/** Insecure, but fast. */
export const CHEAP_PASSWORDS = { memoryKib: 8, passes: 1, parallelism: 1 }

/** What stands behind the application in a test. */
export interface TestBackend {
  readonly ports: Omit<AppDependencies, 'options'>
  readonly access: AccessControl
  readonly directory: AccessTable
  /** Of the link of the first run. */
  readonly firstRunSecret: string
  /** What is stored of visitors, and counts of refused events, in the order of arrival. */
  stored(storeId: string): Promise<readonly LogEntry[]>
  /**
   * Resolves when suggestions and popularity are made of all that was answered.
   *
   * @param hasWritten whether documents may have changed since the last time
   */
  follow(hasWritten: boolean): Promise<void>
  close(): Promise<void>
}
