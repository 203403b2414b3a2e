// Work groups of 256 invocations. Dispatches may spread over y, with surplus work groups.
layout(local_size_x = 256) in;

uint work_group()
{
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}
