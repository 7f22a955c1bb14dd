import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'

const executablePath = process.env.CHROME_PATH

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // A journey waits now and then: for a toast to go, for a network that is quiet.
  workers: Math.ceil(1.5 * availableParallelism()),
  // What passes on a second try only hides a race.
  retries: 0,
  fullyParallel: true,
  forbidOnly: true,
  reporter: [['line'], ['json']],
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    // Every click waits until what it aims at stands still; pages without motion take a quarter less time.
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // Without windows Chromium rounds the width of every letter to whole pixels unless hinting is off.
    launchOptions: { args: ['--font-render-hinting=none'], ...(executablePath ? { executablePath } : {}) },
  },
})
