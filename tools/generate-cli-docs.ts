import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandLineReference } from '../packages/cli/src/index.ts'
import { REPOSITORY } from './lib/source-files.ts'

/** Writes docs/cli.md anew. */
writeFileSync(join(REPOSITORY, 'docs/cli.md'), await commandLineReference())
