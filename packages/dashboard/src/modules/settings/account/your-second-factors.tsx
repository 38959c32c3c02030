import { Divider, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useRead } from '../../../data.ts'
import { ME } from '../../../session.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import type { SecondFactors } from '../api.ts'
import { CodesDialog, YourRecoveryCodes } from './recovery-codes.tsx'
import { YourAuthenticator } from './your-authenticator.tsx'
import { YourPasskeys } from './your-passkeys.tsx'

/** What the member has besides a password. With the first of it they are shown recovery codes. */
export function YourSecondFactors({ onDone }: { onDone?: () => void }) {
  const client = useQueryClient()
  const factors = useRead<SecondFactors>('/auth/second-factor')
  const [codes, setCodes] = useState<string[]>()
  // Workspaces that ask for a second factor may be open now, or shut.
  const onChanged = () => void client.invalidateQueries({ queryKey: ME }).then(onDone)
  return (
    <Loaded read={factors} height={200}>
      {({ authenticator, passkeys, recoveryCodesLeft }) => (
        <Stack>
          <YourPasskeys onCodes={setCodes} onChanged={onChanged} />
          <Divider />
          <YourAuthenticator isOn={authenticator} onCodes={setCodes} onChanged={onChanged} />
          {(authenticator || passkeys > 0) && (
            <>
              <Divider />
              <YourRecoveryCodes left={recoveryCodesLeft} onCodes={setCodes} />
            </>
          )}
          {codes && (
            <CodesDialog
              codes={codes}
              onClose={() => {
                setCodes(undefined)
                onChanged()
              }}
            />
          )}
        </Stack>
      )}
    </Loaded>
  )
}
