import { Group, Stack } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useState } from 'react'
import { sampleMessage } from './sample-message.ts'
import { Choice } from '../../../ui/fields/choice.tsx'
import { ThemeChoice, type Theme } from './choice.tsx'
import type { PreviewContent } from './shown.ts'
import { useTexts } from './texts.ts'
import classes from './preview.module.css'

const SYSTEMS = ['ios', 'android'] as const

/** The notification on a locked phone, cut as the system cuts it. */
export function PushPreview({ content, locale, dir, addresses }: PreviewContent) {
  const t = useTexts()
  const [system, setSystem] = useState<(typeof SYSTEMS)[number]>('ios')
  const [theme, setTheme] = useState<Theme>('light')
  const { title, body, imageUrl } = sampleMessage('push', { content, locale, addresses })
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Choice label={t('system')} values={SYSTEMS} nameOf={(each) => t(each)} value={system} onChange={setSystem} />
        <ThemeChoice value={theme} onChange={setTheme} />
      </Group>
      <div className={classes.lock} data-system={system} data-theme={theme} dir={dir} lang={locale}>
        <div className={classes.notification}>
          <div className={classes.appRow}>
            <span className={classes.appIcon}>
              <IconBell size={14} aria-hidden />
            </span>
            <span>{t('appName')}</span>
            <span>{t('now')}</span>
          </div>
          <div className={classes.pushWords}>
            <div>
              {title && <div className={classes.pushTitle}>{title}</div>}
              {body && <div className={classes.pushBody}>{body}</div>}
            </div>
            {imageUrl !== undefined && system === 'ios' && <img src={imageUrl} alt={t('imageAlt')} className={classes.pushThumb} />}
          </div>
          {imageUrl !== undefined && system === 'android' && <img src={imageUrl} alt={t('imageAlt')} className={classes.pushPicture} />}
        </div>
      </div>
    </Stack>
  )
}
