function deep(selector, root = document) {
  const found = [];
  for (const element of root.querySelectorAll("*")) {
    if (element.matches(selector)) found.push(element);
    if (element.shadowRoot) found.push(...deep(selector, element.shadowRoot));
  }
  return found;
}
