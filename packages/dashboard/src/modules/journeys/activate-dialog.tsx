import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ProtectionSwitches } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { LaunchGate } from '../../ui/launch/launch-gate.tsx'
import { pathOf } from './api.ts'
import { useEditor } from './editor-context.tsx'
import { AllFaults } from './panel/all-faults.tsx'
import { useTexts } from './texts.ts'
import type { useEditing } from './use-editing.ts'

/** Says what is still to be known before anything is sent, and asks for the code where going live takes one. */
export function ActivateDialog({ editing, onClose }: { editing: ReturnType<typeof useEditing>; onClose: () => void }) {
  const t = useTexts()
  const { faults } = useEditor()
  const { stored, launchError, isBusy } = editing
  const [code, setCode] = useState('')
  // Where a second person decides, that person makes it live, and so enters the code.
  const isAsked = useRead<{ protections: ProtectionSwitches }>('/settings/protections').data?.protections.approveMessages
  const verb = stored.status === 'paused' ? 'resume' : 'activate'
  const activate = async () => {
    // Other refusals are shown on the page.
    if ((await editing.activate(code.trim())) !== 'needs code') onClose()
  }
  return (
    <Confirm
      isOpen
      onClose={onClose}
      onConfirm={() => void activate()}
      title={t(`${verb}Title`)}
      action={t(faults.size > 0 ? `${verb}Anyway` : verb)}
      isBusy={isBusy}
    >
      <Stack gap="sm">
        <Text size="sm">{t(isAsked ? 'askText' : `${verb}Text`)}</Text>
        <AllFaults />
        {isAsked === false && <LaunchGate path={pathOf(stored.id)} code={code} onCode={setCode} error={launchError} />}
      </Stack>
    </Confirm>
  )
}
