import { Group, Progress, Stack, Switch, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useId, useMemo, useState } from 'react'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useFormat } from '../../../../format.ts'
import { Choice } from '../../../../ui/fields/choice.tsx'
import { useEditing, useWholeMail } from '../editing-context.ts'
import { useTexts } from '../texts.ts'
import { LOOKS, previewHtml, type MailLook } from './preview-html.ts'
import { useMailBytes, useSample, type Sample } from './use-sample.ts'
import classes from '../editor.module.css'

/** Pixels: of what is seen, before it is made smaller to fit. */
const SIZES = { phone: { width: 375, height: 667 }, desktop: { width: 680, height: 900 } } as const
const NAMES = ['phone', 'desktop'] as const

/** Where Gmail cuts a mail off. Bytes. */
const GMAIL = 102_400

/** The mail in the language that is written, as programs show it. */
export function MailLookPanel() {
  const t = useTexts()
  const { locale, brand } = useEditing()
  const sample = useSample(useWholeMail(), locale, t('asPerson'), brand)
  return (
    <Stack gap="sm">
      <MailLookOf sample={sample} locale={locale} />
      <SizeMeter />
    </Stack>
  )
}

export function MailLookOf({ sample, locale }: { sample: Sample; locale: string }) {
  const t = useTexts()
  const format = useFormat()
  const [size, setSize] = useState<keyof typeof SIZES>('phone')
  const [look, setLook] = useState<MailLook>('light')
  const [hasImages, setImages] = useState(true)
  const [isPlain, setPlain] = useState(false)
  const { ref, width: room } = useElementSize()
  const page = useMemo(() => previewHtml(sample.html, look, hasImages), [sample.html, look, hasImages])
  const { width, height } = SIZES[size]
  const scale = room === 0 ? 1 : Math.min(1, room / width)
  const dir = isRightToLeft(locale) ? 'rtl' : 'ltr'
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Choice
          label={t('asHtml')}
          values={['html', 'plain'] as const}
          nameOf={(each) => t(each === 'html' ? 'asHtml' : 'plain')}
          value={isPlain ? 'plain' : 'html'}
          onChange={(next) => setPlain(next === 'plain')}
        />
        {!isPlain && <Choice label={t('width')} values={NAMES} nameOf={(each) => t(each)} value={size} onChange={setSize} />}
        {!isPlain && <Choice label={t('look')} values={LOOKS} nameOf={(each) => t(`look_${each}`)} value={look} onChange={setLook} />}
        {!isPlain && (
          <Switch size="sm" label={t('images')} checked={hasImages} onChange={({ currentTarget }) => setImages(currentTarget.checked)} />
        )}
      </Group>
      {!isPlain && (
        <Text size="xs" c="dimmed">
          {t(`lookHelp_${look}`)}
        </Text>
      )}
      <div ref={ref}>
        <div className={classes.preview} style={isPlain ? {} : { inlineSize: width * scale }}>
          <div className={classes.previewSubject} dir={dir} lang={locale}>
            <span className="cf-visually-hidden">{t('subject')}: </span>
            {sample.subject || t('check_subject_missing')}
          </div>
          {isPlain ? (
            // It is scrolled by keys too.
            <pre className={classes.plain} dir={dir} lang={locale} tabIndex={0} aria-label={t('plain')}>
              {sample.plain}
            </pre>
          ) : (
            <div style={{ blockSize: height * scale, overflow: 'hidden', direction: 'ltr' }}>
              <iframe
                title={t('previewOf', { language: format.language(locale) })}
                sandbox=""
                srcDoc={page}
                className={classes.frame}
                style={{ inlineSize: width, blockSize: height, transform: `scale(${scale})` }}
              />
            </div>
          )}
        </div>
      </div>
    </Stack>
  )
}

function SizeMeter() {
  const t = useTexts()
  const format = useFormat()
  const id = useId()
  const { locale, brand } = useEditing()
  const bytes = useMailBytes(useWholeMail(), locale, brand)
  const colour = bytes > LIMITS.mailBytes ? 'red' : bytes > LIMITS.mailBytesWarned ? 'orange' : 'teal'
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed" id={id}>
        {t('size')}: {t('sizeOf', { bytes: format.bytes(bytes), most: format.bytes(GMAIL) })}
      </Text>
      <Progress.Root size="sm">
        <Progress.Section value={Math.min(100, (bytes / GMAIL) * 100)} color={colour} aria-labelledby={id} />
      </Progress.Root>
    </Stack>
  )
}
