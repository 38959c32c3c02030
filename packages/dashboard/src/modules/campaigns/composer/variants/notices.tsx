import { Alert, List, Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useFormat } from '../../../../format.ts'
import type { Adoption } from '../draft.ts'
import type { LanguageWarning } from './warnings.ts'
import { useVariantTexts } from './texts.ts'

/** What saving changes in a campaign that another program stored; for an approved one, what editing its message changes. */
export function AdoptionNotice({ adoption: { isMerged, takes }, isApproved }: { adoption: Adoption; isApproved: boolean }) {
  const t = useVariantTexts()
  const format = useFormat()
  return (
    <Alert color="blue" role="status" icon={<IconInfoCircle aria-hidden />} title={t('adoptTitle')}>
      <List size="sm" spacing={4} listStyleType="none">
        {isMerged && <List.Item>{t('adoptMerged')}</List.Item>}
        {takes.map((locale) => (
          <List.Item key={locale}>{t('adoptTakes', { language: format.language(locale) })}</List.Item>
        ))}
      </List>
      <Text size="sm" mt={4}>
        {t(isApproved ? 'adoptApproved' : 'adoptText')}
      </Text>
    </Alert>
  )
}

/** What readers of a language miss and others have. */
export function LanguageWarnings({ warnings, source }: { warnings: readonly LanguageWarning[]; source: string | undefined }) {
  const t = useVariantTexts()
  const format = useFormat()
  if (warnings.length === 0) return null
  const words = (warning: LanguageWarning) => {
    if (warning.kind === 'unequal') return t('unequal')
    const language = format.language(warning.locale)
    if (warning.kind === 'noLabel') return t('noLabel', { language })
    return t(warning.kind, { language, variant: warning.variant, source: format.language(source ?? '') })
  }
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t('warnTitle')}>
      <List size="sm" spacing={4} listStyleType="none">
        {warnings.map((warning) => {
          return <List.Item key={JSON.stringify(warning)}>{words(warning)}</List.Item>
        })}
      </List>
    </Alert>
  )
}
