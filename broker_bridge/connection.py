"""Makes the link to a real broker, where its library is installed."""

from __future__ import annotations

from broker_bridge.address import Broker, BrokerError
from broker_bridge.link import BrokerLink, Membership
from companion.language import say


def link_to(broker: Broker, membership: Membership) -> BrokerLink:
    """Returns a link to a broker, not yet open. BrokerError where the library or a certificate is missing."""
    try:
        from broker_bridge.mqtt import MqttLink
    except ImportError as error:
        raise BrokerError(
            say("a hall's broker needs a library: {command}", command="pip install 'board-companion[hall]'")
        ) from error
    return MqttLink(broker, membership)
