import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fetchPackage } from './fetch-package.mjs'
import { aptInstall, aptInstallInAMinute, findProgram } from './find-program.mjs'
import { inRoot } from './paths.mjs'
import { run } from './processes.mjs'

const sparticuzVersion = '153.0.0'
const fixedPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Chromium without windows: with it the tests take about half the processor time. Program and package have one name. */
const windowless = 'chromium-headless-shell'

function named() {
  const path = process.env.CHROME_PATH
  return path && existsSync(path) ? path : undefined
}

function onThisMachine() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  return findProgram(...names) ?? fixedPlaces.find((path) => existsSync(path))
}

/** A browser from npm, with the libraries it needs; for machines that have neither a browser nor root. */
async function fromNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const home = await fetchPackage('Chromium', '@sparticuz/chromium', sparticuzVersion)
  if (home === undefined) return undefined
  // It unpacks its libraries only where it believes to be in the environment it was made for.
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x'
  const { default: chromium } = await import(pathToFileURL(join(home, 'build', 'index.js')).href)
  const executable = await chromium.executablePath()
  delete process.env.AWS_EXECUTION_ENV
  return {
    CHROME_PATH: executable,
    LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH ?? '',
    FONTCONFIG_PATH: process.env.FONTCONFIG_PATH ?? '',
  }
}

/** Environment for the browser tests: where Chromium is. Empty when Playwright's own copy is to be used. */
export async function chromiumEnvironment() {
  const light = named() ?? findProgram(windowless)
  if (light) return { CHROME_PATH: light }
  const found =
    ((await aptInstall(run, windowless)) ? findProgram(windowless) : undefined) ??
    onThisMachine() ??
    ((await aptInstall(run, 'chromium')) ? onThisMachine() : undefined)
  if (found) return { CHROME_PATH: found }
  const fetched = await fromNpm().catch(() => undefined)
  if (fetched) return fetched
  const code = await run(process.execPath, [inRoot('node_modules/@playwright/test/cli.js'), 'install', 'chromium'])
  if (code !== 0) throw new Error('There is no Chromium on this machine, and none could be fetched.')
  return {}
}

/** The same for a person who waits: what is here or can be had in a minute; undefined otherwise. */
export async function quickChromiumEnvironment() {
  const present = named() ?? findProgram(windowless) ?? onThisMachine()
  const found = present ?? ((await aptInstallInAMinute(run, windowless)) ? findProgram(windowless) : undefined)
  return found ? { CHROME_PATH: found } : undefined
}
