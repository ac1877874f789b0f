package io.karmi.exchange.directory;

import java.io.Serializable;

/**
 * What a member is told when it joins.
 *
 * @param member its number
 * @param generation of the directory, in the addresses of the groups that the member puts
 * @param space number of the space, the same after a restart of the directory
 * @param secret that members of the space show each other
 */
public record Joined(int member, int generation, long space, long secret) implements Serializable {}
