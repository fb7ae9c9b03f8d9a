"""The hall's own Mosquitto: who may come to it, its files, and the program itself."""
