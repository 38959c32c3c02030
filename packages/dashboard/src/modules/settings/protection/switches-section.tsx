import { PROTECTIONS } from '@contentflow/core/protections.ts'
import { Section } from '../../../ui/section.tsx'
import { ForApps } from '../notes.tsx'
import { SwitchList } from '../switches/switch-list.tsx'
import { PROTECTIONS_PATH } from './paths.ts'
import { useProtectionTexts } from './texts.ts'

/** The protections of the workspace. On is safe; off opens something. */
export function SwitchesSection() {
  const t = useProtectionTexts()
  return (
    <Section title={t('protections')} text={t('protectionsText')}>
      <ForApps text={t('protectionsEffect')} />
      <SwitchList
        path={PROTECTIONS_PATH}
        member="protections"
        names={PROTECTIONS}
        wordsOf={(name) => ({ label: t(name), text: t(`${name}_text`), ending: `${t(`${name}_off`)} ${t('endText')}` })}
        height={320}
      />
    </Section>
  )
}
