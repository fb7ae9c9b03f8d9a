"""The bridge to a hall's MQTT broker: topics, messages and the link that carries them; see docs/hall.md."""
