"""The server under the application: its settings and security, and its connections by HTTP and HTTPS."""
