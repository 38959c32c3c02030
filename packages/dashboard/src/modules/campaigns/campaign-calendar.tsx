export function CampaignCalendar() {
  return null
}
