import { Button, Stack } from '@mantine/core'
import { Failure } from '../../ui/failure.tsx'
import { EndDerivedKeys, useEndDerivedKeys } from '../settings/keys/end-derived-keys.tsx'
import { useTexts } from './texts.ts'

type KeysStepProps = {
  /** Makes both keys; `andThen` once the app key is there. */
  make: (andThen: () => void) => void
  isBusy: boolean
  error: Error | null
}

/** The first step of a workspace. Loaded on demand, because the start page has to be small. */
export function KeysStep({ make, isBusy, error }: KeysStepProps) {
  const t = useTexts()
  const ending = useEndDerivedKeys({ kind: 'publishable', environment: 'live' })
  return (
    <Stack gap="sm" align="flex-start">
      <EndDerivedKeys ending={ending} />
      <Button onClick={() => make(ending.end)} loading={isBusy}>
        {t('makeKeys')}
      </Button>
      {error && <Failure error={error} />}
    </Stack>
  )
}
