import { RolesSection } from './roles-section.tsx'
import { ServicesSection } from './services-section.tsx'

/** What members and programs may do, beyond the three roles that every workspace has. */
export function AccessTab() {
  return (
    <>
      <RolesSection />
      <ServicesSection />
    </>
  )
}
