#include "panel.h"

#include <algorithm>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <imgui.h>
// Debian's package compiles the backends into the library, without their functions' export marks.
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

namespace
{
bool has_window;
float dots; // pixels that one unit of a layout takes
ImVec2 last_size, size_before;
bool resized;                  // panels go back to their corners
bool folded[PANEL_CENTRE + 1]; // in the latest frame, those of each corner

const ImU32 whole_colour = IM_COL32(96, 122, 160, 255);
const ImU32 part_colour = IM_COL32(240, 150, 50, 255);

struct Place {
    ImVec2 from, to;

    bool contains(float x, float y) const
    {
        return x >= from.x && y >= from.y && x < to.x && y < to.y;
    }
};
std::vector<Place> places; // of the latest frame's panels

// The panel that was begun last, as it is shown.
void note_place()
{
    const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    places.push_back({from, ImVec2(from.x + size.x, from.y + size.y)});
}

ImVec2 corner_place(panel_corner corner, const ImVec2 &display)
{
    const float margin = 10 * dots;
    const bool right = corner == PANEL_TOP_RIGHT || corner == PANEL_BOTTOM_RIGHT;
    const bool bottom = corner == PANEL_BOTTOM_LEFT || corner == PANEL_BOTTOM_RIGHT;
    if (corner == PANEL_CENTRE)
        return ImVec2(display.x / 2, display.y / 2);
    return ImVec2(right ? display.x - margin : margin, bottom ? display.y - margin : margin);
}

ImVec2 corner_pivot(panel_corner corner)
{
    const bool right = corner == PANEL_TOP_RIGHT || corner == PANEL_BOTTOM_RIGHT;
    const bool bottom = corner == PANEL_BOTTOM_LEFT || corner == PANEL_BOTTOM_RIGHT;
    if (corner == PANEL_CENTRE)
        return ImVec2(0.5f, 0.5f);
    return ImVec2(right ? 1.0f : 0.0f, bottom ? 1.0f : 0.0f);
}

// Whether a panel leaves too little of the picture, or of what one on the left has left of it.
bool covers_most(panel_corner corner, float width, const ImVec2 &display)
{
    const bool right = corner == PANEL_TOP_RIGHT || corner == PANEL_BOTTOM_RIGHT;
    return (right ? 3 : 2) * width * dots > display.x;
}
} // namespace

bool panel_create(GLFWwindow *window, float scale)
{
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::StyleColorsDark();
    ImGui::GetStyle().WindowRounding = 5;
    ImGui::GetStyle().Colors[ImGuiCol_WindowBg].w = 0.88f;
    ImGui::GetStyle().ScaleAllSizes(scale);
    ImFontConfig font;
    font.SizePixels = 13 * scale;
    ImGui::GetIO().Fonts->AddFontDefault(&font);
    ImGui::GetIO().IniFilename = nullptr; // nothing is left in the user's folder
    ImGui::GetIO().ConfigWindowsMoveFromTitleBarOnly = true;
    dots = scale;
    has_window = window && ImGui_ImplGlfw_InitForOpenGL(window, true);
    if ((has_window || !window) && ImGui_ImplOpenGL3_Init("#version 430 core"))
        return true;
    if (has_window)
        ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    return false;
}

void panel_destroy(void)
{
    ImGui_ImplOpenGL3_Shutdown();
    if (has_window)
        ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void panel_begin_frame(int width, int height, float seconds)
{
    ImGuiIO &io = ImGui::GetIO();
    ImGui_ImplOpenGL3_NewFrame();
    if (has_window) {
        ImGui_ImplGlfw_NewFrame();
        // Layouts are in pixels: cursor positions, which come in the window's units, are not.
        if (io.DisplaySize.x > 0 && io.DisplaySize.y > 0) {
            io.MousePos.x *= static_cast<float>(width) / io.DisplaySize.x;
            io.MousePos.y *= static_cast<float>(height) / io.DisplaySize.y;
        }
    } else {
        io.DeltaTime = seconds > 0 ? seconds : 1.0f / 60.0f;
    }
    const ImVec2 size(static_cast<float>(width), static_cast<float>(height));
    resized = size.x != last_size.x || size.y != last_size.y;
    size_before = last_size;
    last_size = size;
    io.DisplaySize = size;
    io.DisplayFramebufferScale = ImVec2(1, 1);
    ImGui::NewFrame();
    places.clear();
}

void panel_end_frame(void)
{
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool panel_wants_mouse(float x, float y)
{
    return std::any_of(places.begin(), places.end(),
                       [=](const Place &place) { return place.contains(x, y); }) ||
           ImGui::IsAnyItemActive() ||
           ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

bool panel_wants_keys(void)
{
    return ImGui::GetIO().WantTextInput;
}

bool panel_begin(const char *title, panel_corner corner, float width)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    // Folded ones leave each other room.
    const float room = folded[corner] ? display.x / 2 - 15 * dots : display.x - 20 * dots;
    const float wide = width * dots < room ? width * dots : room;
    ImGui::SetNextWindowPos(corner_place(corner, display),
                            resized ? ImGuiCond_Always : ImGuiCond_Appearing, corner_pivot(corner));
    ImGui::SetNextWindowSizeConstraints(ImVec2(wide, 0), ImVec2(wide, display.y - 20 * dots));
    if (corner != PANEL_CENTRE) {
        const bool narrow = covers_most(corner, width, display),
                   before = covers_most(corner, width, size_before);
        ImGui::SetNextWindowCollapsed(narrow, resized && narrow != before ? ImGuiCond_Always
                                                                          : ImGuiCond_Once);
    }
    const bool open = ImGui::Begin(
        title, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
    folded[corner] = ImGui::IsWindowCollapsed();
    note_place();
    return open;
}

void panel_end(void)
{
    ImGui::End();
}

bool panel_notice(const char *text, float opacity, bool warning)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(display.x / 2, display.y - 10 * dots), ImGuiCond_Always,
                            ImVec2(0.5f, 1.0f));
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, opacity);
    ImGui::PushStyleColor(ImGuiCol_Border, warning ? IM_COL32(240, 80, 60, 255) : whole_colour);
    ImGui::Begin("##notice", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
    note_place();
    ImGui::PushTextWrapPos(0.8f * display.x);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    const bool clicked = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    return clicked;
}

void panel_span(float *left, float *right)
{
    *left = ImGui::GetWindowPos().x;
    *right = *left + ImGui::GetWindowWidth();
}

bool panel_section(const char *label, bool open_at_first)
{
    return ImGui::CollapsingHeader(label, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

void panel_text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ImGui::TextV(format, arguments);
    va_end(arguments);
}

void panel_paragraph(const char *text)
{
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
}

void panel_separator(void)
{
    ImGui::Separator();
}

void panel_same_line(void)
{
    ImGui::SameLine();
}

void panel_hint(const char *text)
{
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", text);
}

void panel_progress(float fraction, const char *text)
{
    ImGui::ProgressBar(fraction, ImVec2(-1, 0), text);
}

void panel_label(float x, float y, float align, const char *text)
{
    const ImVec2 size = ImGui::CalcTextSize(text), at(x - align * size.x, y - size.y);
    const float margin = 5 * dots;
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    list->AddRectFilled(ImVec2(at.x - margin, at.y - margin / 2),
                        ImVec2(at.x + size.x + margin, at.y + size.y + margin / 2),
                        IM_COL32(12, 13, 16, 170), 3 * dots);
    list->AddText(at, IM_COL32(235, 235, 235, 255), text);
}

bool panel_input(const char *label, char *text, size_t size, const char *shown)
{
    ImGui::SetNextItemWidth(-1);
    return ImGui::InputTextWithHint(label, shown, text, size);
}

bool panel_button(const char *label)
{
    return ImGui::Button(label);
}

bool panel_checkbox(const char *label, bool *value)
{
    return ImGui::Checkbox(label, value);
}

bool panel_slider(const char *label, uint32_t *value, uint32_t least, uint32_t most,
                  bool logarithmic)
{
    const ImGuiSliderFlags flags =
        ImGuiSliderFlags_AlwaysClamp | (logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    return ImGui::SliderScalar(label, ImGuiDataType_U32, value, &least, &most, "%u", flags);
}

bool panel_slider_float(const char *label, float *value, float least, float most,
                        const char *format)
{
    return ImGui::SliderFloat(label, value, least, most, format, ImGuiSliderFlags_AlwaysClamp);
}

bool panel_radio(const char *label, uint32_t *value, const char *const *names, uint32_t count)
{
    const uint32_t before = *value;
    ImGui::PushID(label);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            ImGui::SameLine();
        if (ImGui::RadioButton(names[i], *value == i))
            *value = i;
    }
    ImGui::PopID();
    return *value != before;
}

bool panel_tabs(const char *label, uint32_t *value, const char *const *names, uint32_t count)
{
    const uint32_t before = *value;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float all = ImGui::GetContentRegionAvail().x + gap;
    ImGui::PushID(label);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(dots, ImGui::GetStyle().FramePadding.y));
    for (uint32_t i = 0; i < count; i++) {
        const ImVec4 colour =
            ImGui::GetStyleColorVec4(i == before ? ImGuiCol_ButtonActive : ImGuiCol_Button);
        if (i > 0)
            ImGui::SameLine();
        ImGui::PushStyleColor(ImGuiCol_Button, colour);
        if (ImGui::Button(names[i], ImVec2(all / static_cast<float>(count) - gap, 0)))
            *value = i;
        ImGui::PopStyleColor();
    }
    ImGui::PopStyleVar();
    ImGui::PopID();
    return *value != before;
}

bool panel_choice(const char *label, uint32_t *value, const char *const *names, uint32_t count)
{
    const uint32_t before = *value;
    if (!ImGui::BeginCombo(label, *value < count ? names[*value] : ""))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (ImGui::Selectable(names[i], *value == i))
            *value = i;
    ImGui::EndCombo();
    return *value != before;
}

void panel_plot(const char *label, const float *values, size_t count, size_t first, float most,
                const char *text)
{
    ImGui::PlotLines(label, values, static_cast<int>(count), static_cast<int>(first), text, 0, most,
                     ImVec2(ImGui::GetContentRegionAvail().x, 50 * dots));
}

void panel_bars(const char *label, const float *values, const float *parts, size_t count,
                size_t first, float most)
{
    const ImVec2 place = ImGui::GetCursorScreenPos();
    const ImVec2 size(ImGui::GetContentRegionAvail().x, 60 * dots);
    const float foot = place.y + size.y, wide = size.x / static_cast<float>(count);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(place, ImVec2(place.x + size.x, foot),
                        ImGui::GetColorU32(ImGuiCol_FrameBg));
    for (size_t i = 0; i < count; i++) {
        const size_t at = (first + i) % count;
        const float left = place.x + wide * static_cast<float>(i);
        const float whole = values[at] < most ? values[at] / most : 1.0f;
        const float part = parts[at] < most ? parts[at] / most : 1.0f;
        list->AddRectFilled(ImVec2(left, foot - size.y * whole), ImVec2(left + wide, foot),
                            whole_colour);
        list->AddRectFilled(ImVec2(left, foot - size.y * part), ImVec2(left + wide, foot),
                            part_colour);
    }
    ImGui::InvisibleButton(label, size);
}

bool panel_table_begin(const char *id, const char *const *headings, uint32_t columns,
                       uint32_t rows_shown)
{
    ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
    ImVec2 size(0, 0);
    if (rows_shown > 0) {
        flags |= ImGuiTableFlags_ScrollY;
        size.y = static_cast<float>(rows_shown + 1) * (ImGui::GetTextLineHeight() + 4 * dots);
    }
    if (!ImGui::BeginTable(id, static_cast<int>(columns), flags, size))
        return false;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (uint32_t i = 0; i < columns; i++)
        ImGui::TableSetupColumn(headings[i]);
    ImGui::TableHeadersRow();
    return true;
}

void panel_table_row(void)
{
    ImGui::TableNextRow();
}

void panel_table_cell(void)
{
    ImGui::TableNextColumn();
}

void panel_table_end(void)
{
    ImGui::EndTable();
}

bool panel_table_pick(const char *text, bool picked)
{
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    return ImGui::Selectable(text, picked, ImGuiSelectableFlags_SpanAllColumns);
}

bool panel_font_make(panel_font *font)
{
    ImFontAtlas atlas;
    ImFontConfig config;
    config.SizePixels = PANEL_GLYPH_HEIGHT;
    const ImFont *made = atlas.AddFontDefault(&config);
    unsigned char *alpha = nullptr;
    atlas.GetTexDataAsAlpha8(&alpha, &font->width, &font->height);
    const size_t bytes = static_cast<size_t>(font->width) * static_cast<size_t>(font->height);
    font->alpha = static_cast<unsigned char *>(std::malloc(bytes));
    if (!font->alpha)
        return false;
    std::memcpy(font->alpha, alpha, bytes);
    font->white[0] = atlas.TexUvWhitePixel.x;
    font->white[1] = atlas.TexUvWhitePixel.y;
    for (int i = 0; i < PANEL_GLYPHS; i++) {
        const ImFontGlyph *glyph = made->FindGlyph(static_cast<ImWchar>(PANEL_GLYPH_FIRST + i));
        font->glyphs[i] = {glyph->X0, glyph->Y0, glyph->X1, glyph->Y1,
                           glyph->U0, glyph->V0, glyph->U1, glyph->V1};
    }
    return true;
}

void panel_font_free(panel_font *font)
{
    std::free(font->alpha);
    font->alpha = nullptr;
}
