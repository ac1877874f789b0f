/**
 * Messages between nodes, sent without waiting, and requests that are answered later (DXNet,
 * sections III to X).
 *
 * <p>{@link io.karmi.messaging.Messaging} is what programs use. A {@code Link} connects two nodes:
 * a pipe of some technology with an outgoing ring at each end. The threads that send marshal in
 * parallel, in lanes, and copy what they have marshalled into the ring; one of them, or the link's
 * own thread, hands to the network what has been committed. The receiving end takes messages apart
 * from their frames and gives them to handlers.
 *
 * <p>Sending is bounded by a window of bytes that the receiver has not processed. The receiver says
 * what it has processed by frames of their own, which the window does not bound. As a link is read
 * on, by another thread where its reading thread is kept by a handler, these frames always arrive.
 *
 * <p>To read the code, begin with {@code NodeMessaging}, {@code LinkSender}, {@code OutLane},
 * {@code LinkOutput} and {@code LinkThread} for what leaves, and with {@code LinkInput}, {@code
 * InLane}, {@code Handlers} and {@code Delivery} for what comes; docs/how-messages-travel.md draws
 * it. Package {@code link} has what these need and what knows no link.
 *
 * <p>A message arrives at most once. A pipe that fails loses what was on its way: its requests
 * fail, and listeners are told.
 */
@NullMarked
package io.karmi.messaging;

import org.jspecify.annotations.NullMarked;
