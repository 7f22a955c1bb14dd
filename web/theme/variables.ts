import type { CSSVariablesResolver } from '@mantine/core'
import { hues } from './colors.ts'

type Vars = Record<string, string>

function hueVars(scheme: 'light' | 'dark'): Vars {
  const out: Vars = {}
  for (const hue of hues) {
    const v = (step: number) => `var(--mantine-color-${hue}-${step})`
    const own: Vars =
      scheme === 'light'
        ? {
            filled: v(7),
            'filled-hover': v(8),
            light: v(1),
            'light-hover': v(2),
            'light-color': v(8),
            text: v(7),
            outline: v(7),
            dot: v(6),
          }
        : {
            filled: v(7),
            'filled-hover': v(8),
            light: `color-mix(in srgb, ${v(5)} 16%, #161513)`,
            'light-hover': `color-mix(in srgb, ${v(5)} 24%, #161513)`,
            'light-color': v(3),
            text: v(3),
            outline: v(4),
            dot: v(5),
          }
    for (const [name, value] of Object.entries(own)) out[`--mantine-color-${hue}-${name}`] = value
  }
  return out
}

const sizes: Vars = {
  '--sy-nav': '48px', // height of the top bar, and the offset of every sticky table header
  '--sy-side': '208px', // the navigation at the left
  '--sy-panel': '424px', // a panel beside a list
  '--sy-row': '40px',
  '--sy-head': '32px',
  '--sy-gutter': '24px', // 16px on a phone
}

const light: Vars = {
  ...hueVars('light'),
  // Mantine roles. The ones marked AA are those whose defaults fail 4.5:1.
  '--mantine-color-body': '#fdfdfc',
  '--mantine-color-text': '#1b1a18',
  '--mantine-color-dimmed': '#67645f', // AA: default gray-6 on white is 3.3:1; this is 5.8:1, 5.3:1 on a hovered row
  '--mantine-color-placeholder': '#73706a', // AA: default gray-5 is 2.1:1; this is 4.9:1
  '--mantine-color-error': '#a52e2c', // AA: default red-6 is 3.3:1; this is 6.8:1
  '--mantine-color-success': '#1b713d',
  '--mantine-color-anchor': '#006a83', // AA: default blue-6 is 3.6:1; this is 6.1:1
  '--mantine-color-default': '#ffffff',
  '--mantine-color-default-hover': '#f4f3f0',
  '--mantine-color-default-color': '#1b1a18',
  '--mantine-color-default-border': '#d3d1cd',
  '--mantine-color-disabled': '#f1f0ed',
  '--mantine-color-disabled-color': '#6a6761',
  '--mantine-color-disabled-border': '#e1dfdc',
  '--mantine-color-gray-light': '#eeedea', // AA: gray badges and the active menu item
  '--mantine-color-gray-light-hover': '#e7e5e1',
  '--mantine-color-gray-light-color': '#4a4743',
  '--mantine-color-gray-text': '#4a4743',
  // Roles of our own
  '--sy-series-0': 'var(--mantine-color-gray-4)', // the rest in charts
  '--sy-series-1': 'var(--mantine-color-petrol-7)',
  '--sy-series-2': 'var(--mantine-color-violet-4)',
  '--sy-series-3': 'var(--mantine-color-yellow-6)',
  '--sy-series-4': 'var(--mantine-color-green-4)',
  '--sy-series-5': 'var(--mantine-color-violet-6)',
  '--sy-series-6': 'var(--mantine-color-orange-8)',
  '--sy-series-7': 'var(--mantine-color-olive-5)',
  '--sy-surface': '#ffffff', // inputs, menus, modals
  '--sy-subtle': '#f7f6f3', // table header, notice, code
  '--sy-hover': '#f4f3f0', // row and menu hover
  '--sy-selected': '#e6f4f9', // current index entry, edited row
  '--sy-line': '#e5e3df', // hairlines between rows and sections
  '--sy-edge': '#918e88', // control edges, 3.2:1
  '--sy-ink-2': '#4a4743', // secondary text, 9:1
  '--sy-ink-3': '#67645f', // hints, header cells, 5.8:1
  '--sy-accent': '#006a83',
  '--sy-focus': '#006a83',
  '--sy-track': '#c9c6c1', // unlit track in the mark and in the schematic
  '--sy-float': '0 0 0 1px rgb(27 26 24 / 8%), 0 6px 20px rgb(27 26 24 / 12%)',
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: sizes,
  light,
  dark: {
    ...hueVars('dark'),
    '--mantine-color-petrol-filled': '#0a7590', // a touch lighter than step 7, so that the button stands off the page; white on it 5.3:1
    '--mantine-color-petrol-filled-hover': '#006a83',
    '--mantine-color-body': '#161513',
    '--mantine-color-text': '#ebe9e6',
    '--mantine-color-dimmed': '#a3a09b', // AA: default dark-2 is 4.0:1; this is 7.0:1, 6.3:1 on a hovered row
    '--mantine-color-placeholder': '#94918c', // AA: default dark-3 is 2.5:1 in an input; this is 5.4:1
    '--mantine-color-error': '#ffb0a7', // AA: default red-8 is 3.4:1; this is 10.5:1
    '--mantine-color-success': '#9bd9ab',
    '--mantine-color-anchor': '#68bdd9',
    '--mantine-color-default': '#1e1d1b',
    '--mantine-color-default-hover': '#262522',
    '--mantine-color-default-color': '#ebe9e6',
    '--mantine-color-default-border': '#3b3936',
    '--mantine-color-disabled': '#232220',
    '--mantine-color-disabled-color': '#94918c',
    '--mantine-color-disabled-border': '#2b2a27',
    '--mantine-color-gray-light': '#2b2a27',
    '--mantine-color-gray-light-hover': '#34332f',
    '--mantine-color-gray-light-color': '#cfcdc9',
    '--mantine-color-gray-text': '#cfcdc9',
    '--sy-series-0': 'var(--sy-track)',
    '--sy-series-1': 'var(--mantine-color-petrol-4)',
    '--sy-series-2': 'var(--mantine-color-violet-6)',
    '--sy-series-3': 'var(--mantine-color-yellow-5)',
    '--sy-series-4': 'var(--mantine-color-green-3)',
    '--sy-series-5': 'var(--mantine-color-violet-5)',
    '--sy-series-6': 'var(--mantine-color-orange-6)',
    '--sy-series-7': 'var(--mantine-color-olive-4)',
    '--sy-surface': '#1e1d1b',
    '--sy-subtle': '#1c1b19',
    '--sy-hover': '#21201e',
    '--sy-selected': '#16262c',
    '--sy-line': '#2b2a27',
    '--sy-edge': '#6e6b66',
    '--sy-ink-2': '#cfcdc9',
    '--sy-ink-3': '#a3a09b',
    '--sy-accent': '#68bdd9',
    '--sy-focus': '#68bdd9',
    '--sy-track': '#4a4743',
    '--sy-float': '0 0 0 1px rgb(255 255 255 / 9%), 0 8px 24px rgb(0 0 0 / 50%)',
  },
})
