import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandLineReference } from '../packages/cli/src/index.ts'
import { REPOSITORY } from './lib/source-files.ts'

/** Regenerates docs/cli.md. */
writeFileSync(join(REPOSITORY, 'docs/cli.md'), await commandLineReference())
