import type { MantineColorsTuple } from '@mantine/core'

// One lightness ladder for every hue (OKLCH L .975 … .30), so step n has the same contrast whatever the colour:
// 1 = tint, 3 = text on dark, 6 = dots and lines, 7 = fill and text on light (6:1 on white), 8 = text on tint (7:1).
const petrol: MantineColorsTuple = [
  '#edf9fe',
  '#d9f3fc',
  '#b9e5f4',
  '#93d2e9',
  '#68bdd9',
  '#41a3c1',
  '#1f89a6',
  '#006a83',
  '#025469',
  '#013441',
]
const green: MantineColorsTuple = [
  '#effaf1',
  '#dcf6e2',
  '#bfe9c8',
  '#9bd9ab',
  '#74c58b',
  '#52ab6e',
  '#359055',
  '#1b713d',
  '#145a30',
  '#0b371c',
]
const olive: MantineColorsTuple = [
  '#f5f8ec',
  '#ebf1d8',
  '#d8e2b7',
  '#c2cf92',
  '#a9b969',
  '#8f9f47',
  '#76852b',
  '#5a6610',
  '#48520c',
  '#2b3206',
]
const yellow: MantineColorsTuple = [
  '#fcf6ea',
  '#f8edd2',
  '#eedbae',
  '#e0c482',
  '#ceab52',
  '#b59026',
  '#997602',
  '#765b00',
  '#5f4800',
  '#3b2b00',
]
const orange: MantineColorsTuple = [
  '#fef5ee',
  '#fee9db',
  '#ffd2b2',
  '#f9b785',
  '#ec9a57',
  '#d47c2e',
  '#b76300',
  '#8e4b00',
  '#723b00',
  '#482300',
]
const red: MantineColorsTuple = [
  '#fff4f3',
  '#fee8e5',
  '#fed0ca',
  '#ffb0a7',
  '#ff887e',
  '#eb635c',
  '#cd4843',
  '#a52e2c',
  '#852422',
  '#531413',
]
const violet: MantineColorsTuple = [
  '#f7f5fe',
  '#f0eafe',
  '#e0d5fe',
  '#cebbfd',
  '#b99ff1',
  '#9f82da',
  '#8669be',
  '#684d99',
  '#533d7b',
  '#33254d',
]

// Neutrals lean warm (hue 85, chroma under .01). `gray` serves light, `dark` serves dark.
const gray: MantineColorsTuple = [
  '#fcfbfa',
  '#f7f6f3',
  '#eeedea',
  '#e1dfdc',
  '#d3d1cd',
  '#aba9a4',
  '#83807a',
  '#67645f',
  '#4a4743',
  '#242320',
]
const dark: MantineColorsTuple = [
  '#ebe9e6',
  '#bfbdb9',
  '#a3a09b',
  '#82807b',
  '#3b3936',
  '#2b2a27',
  '#1e1d1b',
  '#161513',
  '#0f0e0c',
  '#0a0907',
]

export const ramps = { petrol, green, olive, yellow, orange, red, violet, gray, dark }

export const hues = ['petrol', 'green', 'olive', 'yellow', 'orange', 'red', 'violet'] as const

export type Hue = (typeof hues)[number]
