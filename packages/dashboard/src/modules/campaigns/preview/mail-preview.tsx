import { Group, Stack } from '@mantine/core'
import { hasOwnHtml } from '@contentflow/core/mail/document.ts'
import { useElementSize } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { ShadowBox } from '../../content/editor/preview/shadow-box.tsx'
import { Choice } from '../../../ui/fields/choice.tsx'
import { ThemeChoice, type Theme } from './choice.tsx'
import { HtmlFrame } from './html-frame.tsx'
import { sampleMessage } from './sample-message.ts'
import type { PreviewContent } from './shown.ts'
import { useTexts } from './texts.ts'
import classes from './preview.module.css'

const WIDTHS = { phone: 375, desktop: 680 } as const
const NAMES = ['phone', 'desktop'] as const

/** Styles of the page do not apply inside; a mail program in dark mode inverts light colours, and inverts pictures back. */
const STYLES = `
:host { all: initial }
div { min-block-size: 200px }
[data-theme='dark'] { filter: invert(0.92) hue-rotate(180deg) }
[data-theme='dark'] img { filter: invert(1) hue-rotate(180deg) }
`

/** The mail as it is sent, in the width and colours of a reader's program. */
export function MailPreview({ content, mail, locale, dir, addresses }: PreviewContent) {
  const t = useTexts()
  const [width, setWidth] = useState<keyof typeof WIDTHS>('phone')
  const [theme, setTheme] = useState<Theme>('light')
  const outer = useElementSize()
  const inner = useElementSize()
  const { title, html = '' } = sampleMessage('email', { content, ...(mail && { mail }), locale, addresses })
  const body = useMemo(() => bodyOf(html), [html])
  const scale = outer.width === 0 ? 1 : Math.min(1, outer.width / WIDTHS[width])
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Choice label={t('width')} values={NAMES} nameOf={(each) => t(each)} value={width} onChange={setWidth} />
        <ThemeChoice value={theme} onChange={setTheme} />
      </Group>
      <div ref={outer.ref}>
        <div className={classes.mail} style={{ inlineSize: WIDTHS[width] * scale }}>
          <div className={classes.subject} dir={dir} lang={locale}>
            <span className="cf-visually-hidden">{t('subject')}: </span>
            {title}
          </div>
          <div style={{ blockSize: inner.height * scale || undefined, overflow: 'hidden', direction: 'ltr' }}>
            <div ref={inner.ref} inert style={{ inlineSize: WIDTHS[width], transform: `scale(${scale})`, transformOrigin: '0 0' }}>
              {mail && hasOwnHtml(mail) ? (
                <HtmlFrame html={html} title={title} theme={theme} />
              ) : (
                <ShadowBox styles={STYLES}>
                  {/* The renderer that sends mails escapes all texts, and the policy of the page allows no scripts. */}
                  <div data-theme={theme} dir={dir} lang={locale} dangerouslySetInnerHTML={{ __html: body }} />
                </ShadowBox>
              )}
            </div>
          </div>
        </div>
      </div>
    </Stack>
  )
}

function bodyOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const holder = document.createElement('div')
  holder.setAttribute('style', body.getAttribute('style') ?? '')
  holder.append(...body.childNodes)
  return holder.outerHTML
}
