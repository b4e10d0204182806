import chromium from '@sparticuz/chromium'
import { chromium as driver, type Browser } from 'playwright-core'

/**
 * What the browser is started with, besides what its driver says: nothing outside of this machine
 * is found. Not the arguments that the package proposes: they turn the checks of cross-origin calls
 * off.
 */
const BROWSER_ARGUMENTS = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/**
 * A headless Chromium out of a package; on systems that it is not made for, the Chrome that is
 * installed.
 */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== 'linux') {
    return await driver.launch({ channel: 'chrome', args: BROWSER_ARGUMENTS })
  }
  return await driver.launch({
    executablePath: await chromium.executablePath(),
    args: BROWSER_ARGUMENTS,
  })
}
