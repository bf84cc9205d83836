export function LabPage() {
  return <div class="page" />;
}
