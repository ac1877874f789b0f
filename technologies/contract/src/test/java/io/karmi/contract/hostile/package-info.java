/**
 * The attacker kit: a peer that is written from docs/wire-format.md alone, its attacks on a node,
 * and checks of the node afterwards.
 *
 * <p>{@link io.karmi.contract.hostile.Door} is the only thing here that knows a network: a
 * technology opens raw channels to a port of the node that is attacked. {@link
 * io.karmi.contract.hostile.RawPeer} speaks the call protocol over one, as well or as badly as an
 * {@link io.karmi.contract.hostile.Attack} wants; {@link io.karmi.contract.hostile.Attacks} holds
 * all of them; {@link io.karmi.contract.hostile.Siege} runs them against a {@link
 * io.karmi.contract.hostile.Besieged node} in a JVM of its own, in an order and with variations
 * that a seed decides. None of this uses the classes of the runtime to speak.
 */
@NullMarked
package io.karmi.contract.hostile;

import org.jspecify.annotations.NullMarked;
