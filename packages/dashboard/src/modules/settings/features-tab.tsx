import { FEATURES } from '@contentflow/core/features.ts'
import { Section } from '../../ui/section.tsx'
import { ForApps } from './notes.tsx'
import { SwitchList } from './switches/switch-list.tsx'
import { useFeaturesTexts } from './texts-features.ts'

/** The features of the workspace (G-07). On is harmless; off takes something from every app. */
export function FeaturesTab() {
  const t = useFeaturesTexts()
  return (
    <Section title={t('features')} text={t('featuresText')}>
      <ForApps text={t('featuresEffect')} />
      <SwitchList
        path="/settings/features"
        member="features"
        names={FEATURES}
        wordsOf={(name) => ({ label: t(name), text: t(`${name}_off`), ending: `${t(`${name}_off`)} ${t('endText')}` })}
        height={640}
      />
    </Section>
  )
}
