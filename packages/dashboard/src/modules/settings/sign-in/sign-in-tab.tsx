import { SecondFactorSection } from './second-factor-section.tsx'
import { useSession } from '../../../session.tsx'
import { Section } from '../../../ui/section.tsx'
import { OnlyFor } from '../notes.tsx'
import { ProvidersSection } from './providers-section.tsx'
import { ProvisioningSection } from './provisioning-section.tsx'
import { RequiredSection } from './required-section.tsx'
import { useSignInTexts } from './texts-sign-in.ts'

/** How members sign in to the workspace. */
export function SignInTab() {
  const t = useSignInTexts()
  const { mayAdmin } = useSession()
  return (
    <>
      {mayAdmin ? (
        <>
          <ProvidersSection />
          <ProvisioningSection />
          <RequiredSection />
        </>
      ) : (
        <Section title={t('providers')} text={t('providersText')}>
          <OnlyFor who="admins" />
        </Section>
      )}
      <SecondFactorSection />
    </>
  )
}
