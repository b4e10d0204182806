// Every Node can read this: the file uses only old syntax.
'use strict'

/** The version of the dependency `node` of the repository; a test compares them. */
const NEEDED = 26

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  console.error(
    'Aisle needs Node ' +
      NEEDED +
      ', and this is ' +
      process.version +
      ': run "npm ci", then "npm start", which uses the Node that npm has installed (if install scripts are off: "npm rebuild node")',
  )
  process.exit(1)
}
