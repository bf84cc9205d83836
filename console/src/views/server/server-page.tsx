export function ServerPage() {
  return <div class="page" />;
}
