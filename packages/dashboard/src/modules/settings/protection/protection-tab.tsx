import { DerivedKeysSection } from './derived-keys-section.tsx'
import { IdentityKeysSection } from './identity-keys-section.tsx'
import { LinkSchemesSection } from './link-schemes-section.tsx'
import { SwitchesSection } from './switches-section.tsx'
import { VerificationSection } from './verification-section.tsx'

/** Protections of people and content beyond the documents, and signed identity. */
export function ProtectionTab() {
  return (
    <>
      <SwitchesSection />
      <LinkSchemesSection />
      <VerificationSection />
      <IdentityKeysSection />
      <DerivedKeysSection />
    </>
  )
}
