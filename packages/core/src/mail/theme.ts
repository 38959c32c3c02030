/** What a mail of sections looks like: colours with their partners in the dark, letters, corners. */

/** `#rrggbb`. */
export type Colour = string

/** `surface`: what the words stand on; `page`: around it. `onPrimary`: the words of a button. */
export type ThemeColours = { [name in 'page' | 'surface' | 'text' | 'muted' | 'link' | 'primary' | 'onPrimary']: Colour }

/** `radius`: of buttons; pixels. `fonts`: as CSS. */
export type MailTheme = { light: ThemeColours; dark: ThemeColours; radius: number; fonts: string }

/** Latin and Arabic letters that every system has. */
export const FONTS = "-apple-system,'Segoe UI',Roboto,'Noto Naskh Arabic',Tahoma,Arial,sans-serif"

/** As mails of a title and a text look. No pure black or white, because mail programs that turn colours around make grey of the rest. */
export const PLAIN_THEME: MailTheme = {
  light: {
    page: '#f3f4f6',
    surface: '#fefefe',
    text: '#111827',
    muted: '#6b7280',
    link: '#1d4ed8',
    primary: '#1d4ed8',
    onPrimary: '#fefefe',
  },
  dark: {
    page: '#16181d',
    surface: '#22252b',
    text: '#f1f2f4',
    muted: '#a5abb6',
    link: '#8fb4ff',
    primary: '#3869f5',
    onPrimary: '#fefefe',
  },
  radius: 8,
  fonts: FONTS,
}

/** Contrast of two colours by WCAG 2.1, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** The words on a background that somebody chose: of the two the one that is read better. */
export function inkOn(background: Colour, { text }: Pick<ThemeColours, 'text'>): Colour {
  return contrast(text, background) >= contrast(PLAIN_THEME.light.surface, background) ? text : PLAIN_THEME.light.surface
}

function luminance(colour: Colour): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
