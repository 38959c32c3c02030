import { Text } from '@mantine/core'
import { useSession } from '../../../session.tsx'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { Section } from '../../../ui/section.tsx'
import { DeleteWorkspace } from './delete-workspace.tsx'
import { NameForm } from './name-form.tsx'
import { ForApps, OnlyFor } from '../notes.tsx'
import { useTexts } from '../texts.ts'
import { UsageSection } from './usage-section.tsx'
import { WebAddressSection } from '../web-address/web-address-section.tsx'

export function WorkspaceTab() {
  const t = useTexts()
  const { workspace, mayAdmin } = useSession()
  return (
    <>
      <Section title={t('workspaceName')} text={t('workspaceNameText')}>
        <ForApps text={t('workspaceNameEffect')} />
        {mayAdmin ? <NameForm current={workspace.name} path="/workspaces/current" stale={[]} /> : <Text fw={600}>{workspace.name}</Text>}
        {!mayAdmin && <OnlyFor who="admins" />}
      </Section>
      <Section title={t('workspaceId')} text={t('workspaceIdText')}>
        <ForApps text={t('workspaceIdEffect')} />
        <CopyField value={workspace.id} label={t('workspaceId')} />
      </Section>
      <WebAddressSection />
      <UsageSection />
      {mayAdmin && <DeleteWorkspace />}
    </>
  )
}
