import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'

const OLDER_NUMBER = '0.0.1'

/** A checkout of an older version of this repository, whose service can run. */
export class OlderVersion implements Disposable {
  /** What `node` runs. */
  readonly entry: string
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
    this.entry = join(folder, 'packages/server/src/main.ts')
  }

  /**
   * Checks a commit out beside, with the installed packages of this checkout as hard links.
   *
   * @param commit anything that git resolves
   * @throws Error if git does not know it
   */
  static checkOut(commit: string): OlderVersion {
    const folder = join(mkdtempSync(join(tmpdir(), 'aisle-older-')), 'checkout')
    git('worktree', 'add', '--detach', folder, commit)
    const older = new OlderVersion(folder)
    try {
      // Links of workspaces are relative, so they lead to the packages of that checkout.
      execFileSync('cp', ['-al', 'node_modules', folder], { cwd: REPOSITORY })
      for (const name of readdirSync(join(folder, 'packages'))) {
        const own = join('packages', name, 'node_modules')
        if (!existsSync(join(REPOSITORY, own))) continue
        execFileSync('cp', ['-al', own, join(folder, 'packages', name)], { cwd: REPOSITORY })
      }
      // Versions in development have the same number; nodes would think that they are alike.
      const manifest = join(folder, 'packages/server/package.json')
      const server = JSON.parse(readFileSync(manifest, 'utf8')) as object
      writeFileSync(manifest, JSON.stringify({ ...server, version: OLDER_NUMBER }))
      return older
    } catch (error) {
      older[Symbol.dispose]()
      throw error
    }
  }

  [Symbol.dispose](): void {
    git('worktree', 'remove', '--force', this.#folder)
  }
}

function git(...words: string[]): void {
  execFileSync('git', words, { cwd: REPOSITORY, stdio: ['ignore', 'ignore', 'pipe'] })
}
