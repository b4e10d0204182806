/**
 * The entry of `npm start`; the file of this name in `src` links to it. An older Node fails at the
 * extension `.ts` of a module with an unhelpful stack. In CommonJS, which the `package.json` of
 * this folder selects, it reads the file as JavaScript, so the file contains no types.
 */
require('./node-version.cjs')
const { existsSync } = require('node:fs')
const { join } = require('node:path')

/** Only `npm start` has just brought it up to date; without build tools there is none. */
const BUNDLED = '../dist/npm-start.js'
const isBundled =
  process.env.npm_lifecycle_event === 'start' && existsSync(join(__dirname, BUNDLED))

void import(isBundled ? BUNDLED : '../src/npm-start.ts')
