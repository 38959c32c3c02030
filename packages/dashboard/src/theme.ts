import { alpha, createTheme, mergeThemeOverrides, type CSSVariablesResolver, type MantineThemeOverride } from '@mantine/core'

/** One accent, 8-point spacing, two sizes of text, three of headings. */
const theme = createTheme({
  primaryColor: 'teal',
  // White on it has 4.5 to 1 in both themes.
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', 'Noto Sans Arabic Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', monospace",
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '1rem', lg: '1rem', xl: '1.125rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' }, h2: { fontSize: '1.125rem', lineHeight: '1.4' }, h3: { fontSize: '1rem' } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Modal: {
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45 } },
      styles: { title: { fontSize: '1.125rem', fontWeight: 650, lineHeight: 1.4 } },
    },
    // A header of its own would be a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    // The library's are 14 px high; a finger needs 24.
    Breadcrumbs: { styles: { breadcrumb: { lineHeight: '1.5rem' }, separator: { lineHeight: '1.5rem' } } },
    Table: { defaultProps: { verticalSpacing: 'sm' } },
  },
})

/** The theme with the word for closing: the crosses of the library's windows have no name of their own. */
export function themeWith({ close }: { close: string }): MantineThemeOverride {
  const named = { defaultProps: { closeButtonProps: { 'aria-label': close } } }
  return mergeThemeOverrides(theme, {
    components: { Modal: named, Drawer: named, Notification: named, Alert: { defaultProps: { closeButtonLabel: close } } },
  })
}

/** Words on a tint of their own colour. The library's miss 4.5 to 1; these have it on the tint and on its hover. */
const ON_TINT = {
  red: '#b32525',
  violet: '#5a3aba',
  blue: '#165c9d',
  teal: '#077252',
  green: '#247434',
  yellow: '#7a5c00',
  orange: '#b03a0c',
}

/** Dimmed text, errors and outlined words have to stay readable: the default colours miss 4.5 to 1. */
export const variables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-primary-color-filled-hover': '#066649',
    '--mantine-color-teal-filled-hover': '#066649',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-gray-outline': '#5c636a',
    ...Object.fromEntries(Object.entries(ON_TINT).map(([name, colour]) => [`--mantine-color-${name}-light-color`, colour])),
    '--cf-ground': '#f6f7f8',
    '--cf-line': '#e3e6e9',
    '--cf-highlight': 'var(--mantine-primary-color-filled)',
    '--cf-on-highlight': '#fff',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb4',
    '--mantine-color-error': '#ff8787',
    ...Object.assign({}, ...TINTED.map((name) => darkTint(name, theme.colors[name]))),
    '--cf-ground': '#141517',
    '--cf-line': '#2f3338',
    '--cf-highlight': theme.colors.teal[4],
    '--cf-on-highlight': '#101113',
  },
})

const TINTED = ['red', 'violet', 'blue', 'teal', 'green', 'yellow', 'orange', 'gray'] as const

/** The library's dark tints are heavy, its yellow is a brown: here a breath of the colour, and words in it. */
function darkTint(name: string, shades: readonly string[]): Record<string, string> {
  const [base, words] = name === 'yellow' ? ['#ffe98a', '#ffe066'] : [shades[5] ?? '', shades[3] ?? '']
  const strength = name === 'yellow' ? 0.1 : 0.16
  return {
    [`--mantine-color-${name}-light`]: alpha(base, strength),
    [`--mantine-color-${name}-light-hover`]: alpha(base, strength + 0.06),
    [`--mantine-color-${name}-light-color`]: words,
  }
}
