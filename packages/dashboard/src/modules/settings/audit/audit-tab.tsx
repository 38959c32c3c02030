import { useSession } from '../../../session.tsx'
import { Section } from '../../../ui/section.tsx'
import { OnlyFor } from '../notes.tsx'
import { CheckSection } from './check-section.tsx'
import { EntriesSection } from './entries-section.tsx'
import { KeepSection } from './keep-section.tsx'
import { useAuditTexts } from './texts.ts'

/** Who did what in the workspace, whether that record is whole, and how long it is kept. */
export function AuditTab() {
  const t = useAuditTexts()
  const { mayAdmin } = useSession()
  if (!mayAdmin)
    return (
      <Section title={t('title')} text={t('text')}>
        <OnlyFor who="admins" />
      </Section>
    )
  return (
    <>
      <EntriesSection />
      <CheckSection />
      <KeepSection />
    </>
  )
}
