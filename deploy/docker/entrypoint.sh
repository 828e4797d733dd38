#!/bin/sh
# Runs the service named by the first argument. Further arguments are a command of that service.
case "${1:-}" in
  gateway) main=gateway/dist/main.js ;;
  links | qr | workspaces | billing | webhooks) main=services/$1/dist/main.js ;;
  *)
    echo "Usage: gateway|links|qr|workspaces|billing|webhooks [command …]" >&2
    exit 64
    ;;
esac
shift
exec node "/app/$main" "$@"
