import { type ButtonProps, createTheme, type InputProps, type MantineTheme } from '@mantine/core'
import { ButtonElement } from './button-element.tsx'
import { ramps } from './colors.ts'

const sans =
  "'IBM Plex Sans Variable', 'IBM Plex Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans SC', system-ui, sans-serif"
const mono = "'IBM Plex Mono', ui-monospace, 'SF Mono', Menlo, Consolas, 'PingFang SC', 'Noto Sans SC', monospace"

const control = '32px' // every button, input and select; 40px on a phone (see the stylesheet notes in look.md)

export const theme = createTheme({
  colors: ramps,
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 7 },
  white: '#ffffff',
  black: '#1b1a18',
  autoContrast: false, // not needed: white reads at 6:1 on step 7 of every ramp
  fontFamily: sans,
  fontFamilyMonospace: mono,
  fontSmoothing: true,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '18px', lineHeight: '24px' }, // page title
      h2: { fontSize: '15px', lineHeight: '20px' }, // section
      h3: { fontSize: '13px', lineHeight: '20px' }, // group inside a section
      h4: { fontSize: '13px', lineHeight: '20px', fontWeight: '500' },
      h5: { fontSize: '12px', lineHeight: '16px', fontWeight: '500' },
      h6: { fontSize: '12px', lineHeight: '16px', fontWeight: '500' },
    },
  },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px', xxl: '40px' },
  radius: { xs: '2px', sm: '3px', md: '4px', lg: '6px', xl: '6px' }, // 3 badge, 4 control, 6 floating layer; nothing rounder
  defaultRadius: 'md',
  shadows: { xs: 'none', sm: 'none', md: 'var(--sy-float)', lg: 'var(--sy-float)', xl: 'var(--sy-float)' }, // floating layers only
  breakpoints: { xs: '24em', sm: '37.5em', md: '48em', lg: '64em', xl: '80em' }, // sm = 600 px, where toasts move to the centre
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  activeClassName: '', // no press-down jump

  // Plain objects instead of `Component.extend`, which would pull every component into the first load.
  components: {
    Button: {
      defaultProps: { component: ButtonElement, size: 'sm', variant: 'default' }, // one filled button a screen, asked for by name
      vars: (_theme: MantineTheme, p: ButtonProps) => ({
        root:
          p.size === 'sm' || p.size === undefined
            ? { '--button-height': control, '--button-padding-x': '12px', '--button-fz': '13px' }
            : p.size === 'xs'
              ? { '--button-height': '28px', '--button-padding-x': '8px', '--button-fz': '13px' }
              : {},
      }),
      styles: { root: { fontWeight: 500 } },
    },
    ActionIcon: { defaultProps: { component: ButtonElement, size: 28, variant: 'subtle', color: 'gray' } },
    Anchor: { defaultProps: { underline: 'hover' } },
    Badge: {
      defaultProps: { variant: 'light', size: 'sm', radius: 'sm' },
      vars: () => ({ root: { '--badge-height': '20px', '--badge-padding-x': '6px', '--badge-fz': '12px' } }),
      styles: {
        root: { textTransform: 'none', fontWeight: 500, letterSpacing: 0, minWidth: 'max-content' },
        label: { overflow: 'visible' },
      }, // a badge is never cut
    },
    Input: {
      vars: (_theme: MantineTheme, p: InputProps) => ({
        wrapper: {
          '--input-height': control,
          '--input-fz': '13px',
          '--input-bd': p.error ? 'var(--mantine-color-error)' : 'var(--sy-edge)',
          '--input-bd-focus': 'var(--sy-focus)',
          '--input-placeholder-color': 'var(--mantine-color-placeholder)',
        },
      }),
    },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] }, // label above, help and error below
      vars: () => ({
        label: { '--input-label-size': '13px', '--input-asterisk-color': 'var(--mantine-color-error)' },
        description: { '--input-description-size': '12px' },
        error: { '--input-error-size': '12px' },
      }),
      styles: {
        label: { fontWeight: 500, marginBottom: 4, lineHeight: '20px' },
        description: { marginTop: 4, lineHeight: '16px' },
        error: { marginTop: 4, lineHeight: '16px' },
      },
    },
    Checkbox: {
      defaultProps: { size: 'xs', radius: 'sm' },
      styles: {
        label: { fontSize: 13, lineHeight: '20px', paddingInlineStart: 8 },
        input: { borderColor: 'var(--sy-edge)' },
      },
    },
    Menu: {
      defaultProps: {
        shadow: 'md',
        radius: 'lg',
        position: 'bottom-end',
        offset: 4,
        transitionProps: { duration: 80 },
        portalProps: { target: '#floating' },
        withInitialFocusPlaceholder: false,
      }, // portal inside <main> = in a landmark; the placeholder is not allowed inside role=menu
      styles: {
        dropdown: { padding: 4, border: 0 },
        item: { padding: '6px 8px', fontSize: 13, lineHeight: '20px' },
        label: { fontSize: 12, color: 'var(--sy-ink-3)' },
      },
    },
    Pill: { styles: { root: { borderRadius: 3 } } },
    // A list of suggestions is a popover too, but the reader stays in the field: two of them would fight for the focus.
    Combobox: { defaultProps: { trapFocus: false, returnFocus: false } },
    Popover: {
      defaultProps: {
        shadow: 'md',
        radius: 'lg',
        position: 'bottom-end',
        offset: 4,
        trapFocus: true,
        returnFocus: true,
        transitionProps: { duration: 80 },
        portalProps: { target: '#floating' },
      },
      styles: { dropdown: { border: 0 } },
    },
    Modal: {
      defaultProps: {
        centered: true,
        shadow: 'md',
        radius: 'lg',
        overlayProps: { color: '#000', backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': 'Close' },
        portalProps: { target: '#floating' },
      }, // its header would be a second banner outside <main>
      styles: { title: { fontSize: 15, fontWeight: 600 } },
    },
    Pagination: {
      defaultProps: { size: 28, siblings: 1, gap: 2 },
      vars: () => ({
        root: {
          '--pagination-active-bg': 'var(--mantine-color-gray-light)',
          '--pagination-active-color': 'var(--mantine-color-text)',
        },
      }), // the page you are on is not an action
      styles: { control: { fontSize: 13, fontVariantNumeric: 'tabular-nums', borderColor: 'transparent' } },
    },
    Tabs: { styles: { tab: { fontSize: 13, fontWeight: 500, padding: '8px 12px' } } },
    Tooltip: {
      defaultProps: { openDelay: 400, radius: 'md', fz: 12, events: { hover: true, focus: true, touch: false } },
    },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
})
