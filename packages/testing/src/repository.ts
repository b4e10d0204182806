import { dirname } from 'node:path'

/** The folder of this checkout. */
export const REPOSITORY = dirname(dirname(dirname(import.meta.dirname)))
