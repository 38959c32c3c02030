import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { targetOf } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { useFormat } from '../../../../format.ts'
import { When } from '../../instance-words.tsx'
import { useEditor } from '../editor-context.tsx'
import { useTexts } from '../texts.ts'
import { sharesOf } from './variant-shares.ts'
import classes from '../editor.module.css'

/** Sections that the bar leads to. */
export const ANCHORS = { who: 'setting-who', when: 'setting-when', variants: 'setting-variants', priority: 'setting-order' } as const
type Setting = keyof typeof ANCHORS

/** Audience, schedule, variants and order, always visible; each links to where it is set. */
export function SettingBar() {
  const t = useTexts()
  const format = useFormat()
  const { content } = useEditor()
  const shares = sharesOf(content.variants)
  const items: [Setting, ReactNode][] = [
    ['who', targetOf(content.seg) ?? t('everyone')],
    ['when', <When key="when" schedule={content.schedule} />],
    [
      'variants',
      content.variants.length === 0
        ? t('noVariants')
        : content.variants.map(({ id }, index) => `${id} ${format.percent(shares[index] ?? 0)}`).join(' · '),
    ],
    ['priority', format.number(content.priority)],
  ]
  return (
    <nav className={classes.settingBar} aria-label={t('settings')}>
      {items.map(([setting, value]) => (
        <UnstyledButton key={setting} className={classes.setting} onClick={() => lead(ANCHORS[setting])}>
          <span className={classes.settingName}>{t(setting)}</span>
          <span className={`${classes.settingValue} cf-foreign`} dir="auto">
            {value}
          </span>
        </UnstyledButton>
      ))}
    </nav>
  )
}

function lead(anchor: string): void {
  const section = document.getElementById(anchor)
  section?.scrollIntoView({ block: 'start' })
  section?.focus({ preventScroll: true })
}
